import { Group, Stack, Text } from '@mantine/core'
import { IconLogout, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ListedServer } from '../../shared/console/desktop/remote-servers.ts'
import { shellClient } from '../bridge/clients.ts'
import { useServers } from '../bridge/servers.tsx'
import { ErrorNotice, IconButton } from '../components/blocks.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, type DialogProps } from '../components/dialog/dialog.tsx'
import { ConfirmForm, DialogForm } from '../components/dialog/dialog-form.tsx'
import { Small } from '../components/text/words.tsx'
import { AppearanceFields, useFocusAtStart } from './dialog-parts.tsx'
import classes from './servers.module.css'
import { text } from './strings.ts'

interface Chosen {
  readonly action: 'edit' | 'remove'
  readonly server: ListedServer
}

/** Lists the servers that were added, each with what can be done about it. */
export function ManageServersDialog({ opened, onClose }: DialogProps) {
  const [chosen, setChosen] = useState<Chosen>()
  const back = () => setChosen(undefined)
  const close = () => {
    onClose()
    back()
  }
  return (
    <Dialog opened={opened} onClose={close} title={titleOf(chosen)}>
      {chosen === undefined && <ServerRows onChoose={setChosen} />}
      {chosen?.action === 'edit' && <EditForm server={chosen.server} onDone={back} />}
      {chosen?.action === 'remove' && <RemoveForm server={chosen.server} onDone={back} />}
    </Dialog>
  )
}

function titleOf(chosen: Chosen | undefined): string {
  return chosen === undefined ? text.manage.title : text[chosen.action].title(chosen.server.name)
}

function ServerRows({ onChoose }: { readonly onChoose: (chosen: Chosen) => void }) {
  const { servers } = useServers()
  const start = useFocusAtStart<HTMLDivElement>()
  const signOut = useChange(
    ({ id }: ListedServer) => shellClient.shell.servers.signOut.mutate({ id }),
    {
      done: (_, { name }) => text.manage.signedOut(name),
      failed: ({ name }) => text.manage.notSignedOut(name),
    },
  )
  return (
    <Stack gap="xs" ref={start} tabIndex={-1} className={classes.start ?? ''}>
      {servers.length === 0 && <Text c="dimmed">{text.manage.none}</Text>}
      {servers.map((server) => (
        <Group key={server.id} gap="sm" wrap="nowrap" mih={44}>
          <span className={`${classes.colored} ${classes.dot}`} data-color={server.color} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" fw={500} className="cut" title={server.name}>
              {server.name}
            </Text>
            <Small className="cut" title={server.address}>
              {server.address}
            </Small>
          </div>
          {server.signedInAs === null ? (
            <Small>{text.signedOut}</Small>
          ) : (
            <IconButton
              icon={IconLogout}
              color="tide"
              aria-label={text.manage.signOut(server.name)}
              disabled={signOut.isPending}
              onClick={() => signOut.send(server)}
            />
          )}
          <IconButton
            icon={IconPencil}
            color="tide"
            aria-label={text.manage.edit(server.name)}
            onClick={() => onChoose({ action: 'edit', server })}
          />
          <IconButton
            icon={IconTrash}
            color="red"
            aria-label={text.manage.remove(server.name)}
            onClick={() => onChoose({ action: 'remove', server })}
          />
        </Group>
      ))}
      <ErrorNotice error={signOut.error} />
    </Stack>
  )
}

interface FormProps {
  readonly server: ListedServer
  readonly onDone: () => void
}

function EditForm({ server, onDone }: FormProps) {
  const [name, setName] = useState(server.name)
  const start = useFocusAtStart<HTMLInputElement>()
  const [color, setColor] = useState(server.color)
  const edit = useChange(shellClient.shell.servers.edit.mutate, {
    done: text.edit.done,
    failed: text.edit.failed,
    onDone,
  })
  return (
    <DialogForm
      action={text.edit.action}
      change={edit}
      valid={name.trim() !== ''}
      onSubmit={() => edit.send({ id: server.id, name: name.trim(), color })}
    >
      {(tried) => (
        <AppearanceFields
          nameRef={start}
          name={name}
          nameError={tried && name.trim() === '' && text.add.nameMissing}
          color={color}
          onName={setName}
          onColor={setColor}
        />
      )}
    </DialogForm>
  )
}

function RemoveForm({ server, onDone }: FormProps) {
  const start = useFocusAtStart<HTMLDivElement>()
  const remove = useChange(
    ({ id }: ListedServer) => shellClient.shell.servers.remove.mutate({ id }),
    {
      done: (_, { name }) => text.remove.done(name),
      failed: ({ name }) => text.remove.failed(name),
      onDone,
    },
  )
  return (
    <ConfirmForm
      action={text.remove.action(server.name)}
      change={{ ...remove }}
      onConfirm={() => remove.send(server)}
    >
      <div ref={start} tabIndex={-1} className={classes.start}>
        {text.remove.explanation}
      </div>
    </ConfirmForm>
  )
}
