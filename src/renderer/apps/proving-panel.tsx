import { Code, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { AppDetail } from '../../shared/console/apps.ts'
import { useAccess } from '../bridge/access.ts'
import { Panel } from '../components/panel.tsx'
import { SmallButton } from '../components/small-button.tsx'
import { Quiet } from '../components/text/quiet.tsx'
import classes from './apps.module.css'
import { ProvingDialog } from './proving-dialog.tsx'
import { text as strings } from './strings.ts'

const text = strings.proving

/** What the artifacts of an app are proven against. */
export function ProvingPanel({ app }: { readonly app: AppDetail }) {
  const [editing, setEditing] = useState(false)
  const mayChange = useAccess().may('administrator', app.ref) && !app.archived
  const { minisignKey, hosts } = app.proving
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
            {minisignKey === null ? (
              text.noKey
            ) : (
              <Code className={classes.wrap}>{minisignKey}</Code>
            )}
          </Fact>
        </dl>
      </Stack>
      <ProvingDialog app={app} opened={editing} onClose={() => setEditing(false)} />
    </Panel>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" className={classes.values}>
        {children}
      </Text>
    </div>
  )
}
