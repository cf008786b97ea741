import { Code, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { ArtifactHost, MinisignKey, type ProvingSettings } from '../../shared/files/proving.ts'
import { DocumentKey } from '../../shared/files/signed-document.ts'
import { useAccess } from '../bridge/access.ts'
import { serverClient } from '../bridge/clients.ts'
import { Panel, SmallButton } from '../components/blocks.tsx'
import { faultOf } from '../components/change/fault.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { entriesOf } from '../components/text/sentence.ts'
import { Quiet } from '../components/text/words.tsx'
import classes from './apps.module.css'
import { text as strings } from './strings.ts'

const text = strings.proving

/** What the artifacts of an app are proven against. */
export function ProvingPanel({ app }: { readonly app: AppDetail }) {
  const [editing, setEditing] = useState(false)
  const close = () => setEditing(false)
  const mayChange = useAccess().may('administrator', app.ref) && !app.archived
  const { minisignKey, hosts, documentKeys } = app.proving
  return (
    <Panel
      title={text.title}
      actions={
        mayChange ? (
          <SmallButton icon={IconPencil} onClick={() => setEditing(true)}>
            {text.edit}
          </SmallButton>
        ) : undefined
      }
    >
      <Stack gap="sm">
        <Quiet>{text.description}</Quiet>
        <dl className={classes.facts}>
          <Fact name={text.hosts}>
            {hosts.length === 0
              ? text.noHosts
              : hosts.map((host) => <Code key={host}>{host}</Code>)}
          </Fact>
          <Fact name={text.key}>
            {minisignKey === null ? text.noKey : <Code className="wraps">{minisignKey}</Code>}
          </Fact>
          <Fact name={text.documentKeys}>
            {documentKeys.length === 0
              ? text.noKey
              : documentKeys.map((each) => (
                  <Code key={each} className="wraps">
                    {each}
                  </Code>
                ))}
          </Fact>
        </dl>
      </Stack>
      <Dialog opened={editing} onClose={close} title={text.dialog(app.name)} size="lg">
        <ProvingForm app={app} onClose={close} />
      </Dialog>
    </Panel>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Group component="dd" gap="4px 8px" m={0} fz="sm">
        {children}
      </Group>
    </div>
  )
}

/** They are sent with the settings that the form was filled in with: others since then are not overwritten. */
function ProvingForm({ app, onClose }: Pick<DialogProps, 'onClose'> & { readonly app: AppDetail }) {
  const [seen] = useState<ProvingSettings>(app.proving)
  const [hosts, setHosts] = useState(seen.hosts.join('\n'))
  const [key, setKey] = useState(seen.minisignKey ?? '')
  const [documentKeys, setDocumentKeys] = useState(seen.documentKeys.join('\n'))
  const save = useChange(serverClient.apps.setProving.mutate, {
    done: text.done(app.name),
    failed: text.failed(app.name),
    onDone: onClose,
  })
  const lines = entriesOf(hosts)
  const hostFault = lines.map(faultOfHost).find((fault) => fault !== undefined)
  const keyFault = key.trim() === '' ? undefined : faultOf(MinisignKey, key, text.keySubject)
  const minisignKey = key.trim() === '' ? null : key
  const keys = entriesOf(documentKeys)
  const documentFault = keys.map(faultOfKey).find((fault) => fault !== undefined)
  return (
    <DialogForm
      action={text.action}
      change={save}
      valid={[hostFault, keyFault, documentFault].every((fault) => fault === undefined)}
      onSubmit={() => {
        const change = { hosts: lines, minisignKey, documentKeys: keys }
        save.send({ app: app.ref, change, seen })
      }}
    >
      {(tried) => (
        <>
          <Textarea
            label={text.hosts}
            description={text.hostsHint}
            value={hosts}
            onChange={(event) => setHosts(event.currentTarget.value)}
            error={tried && hostFault}
            autosize
            minRows={3}
            maxRows={10}
            spellCheck={false}
            data-autofocus
          />
          <Textarea
            label={text.key}
            description={text.keyHint}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            error={keyFault}
            autosize
            minRows={1}
            maxRows={6}
            spellCheck={false}
          />
          <Textarea
            label={text.documentKeys}
            description={text.documentKeysHint}
            value={documentKeys}
            onChange={(event) => setDocumentKeys(event.currentTarget.value)}
            error={tried && documentFault}
            autosize
            minRows={1}
            maxRows={6}
            spellCheck={false}
          />
        </>
      )}
    </DialogForm>
  )
}

function faultOfKey(line: string): string | undefined {
  return faultOf(DocumentKey, line, text.keySubject)
}

function faultOfHost(line: string): string | undefined {
  const read = ArtifactHost.safeParse(line)
  return read.success ? undefined : text.hostFault(line, read.error.issues[0]?.message ?? '')
}
