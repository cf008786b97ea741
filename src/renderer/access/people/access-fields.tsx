import { Box, Fieldset, Group, Select, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Role } from '../../../shared/access/role.ts'
import type { PageAccess, PersonItem } from '../../../shared/console/people/people.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { IconButton, Notice, SmallButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { appChoices, SearchableSelect } from '../../components/list/searchable-select.tsx'
import { Quiet } from '../../components/text/words.tsx'
import type { PersonDialogProps } from './confirm-dialogs.tsx'
import { ROLE_WORDS, text } from './strings.ts'

interface Props {
  readonly access: AccessDraft
  /** Whether fields show what is missing. */
  readonly tried: boolean
  readonly onChange: (access: AccessDraft) => void
}

const ROLES = Role.options.map((role) => ({ value: role, label: ROLE_WORDS[role].name }))
/** A select has no choice without a value. */
const NONE = 'none'

/** The roles of an account: one for the server, and one in each of some apps. */
export function AccessFields({ access, tried, onChange }: Props) {
  const { server: onServer, apps } = access
  const setRow = (row: AppRoleDraft) =>
    onChange({ ...access, apps: apps.map((each) => (each.key === row.key ? row : each)) })
  return (
    <>
      <Select
        label={text.access.server}
        description={onServer === null ? text.access.serverHint : ROLE_WORDS[onServer].onServer}
        data={[{ value: NONE, label: text.access.none }, ...ROLES]}
        value={onServer ?? NONE}
        allowDeselect={false}
        onChange={(value) => onChange({ ...access, server: Role.safeParse(value).data ?? null })}
      />
      <Fieldset legend={text.access.apps}>
        <Stack gap="xs" align="start">
          {onServer === 'administrator' && <Quiet>{text.access.isIncluded}</Quiet>}
          {apps.map((row) => (
            <AppRoleRow
              key={row.key}
              row={row}
              taken={apps.flatMap(({ key, app }) => (app === null || key === row.key ? [] : [app]))}
              tried={tried}
              onChange={setRow}
              onRemove={() => onChange({ ...access, apps: apps.filter((each) => each !== row) })}
            />
          ))}
          <SmallButton icon={IconPlus} onClick={() => onChange(withAppRole(access))}>
            {text.access.add}
          </SmallButton>
        </Stack>
      </Fieldset>
    </>
  )
}

interface RowProps {
  readonly row: AppRoleDraft
  /** Apps of other rows. */
  readonly taken: readonly string[]
  readonly tried: boolean
  readonly onChange: (row: AppRoleDraft) => void
  readonly onRemove: () => void
}

function AppRoleRow({ row, taken, tried, onChange, onRemove }: RowProps) {
  const { data = [] } = useQuery(server.apps.names.queryOptions())
  const choices = data.filter(({ ref }) => !taken.includes(ref))
  return (
    <Group gap="xs" align="start" w="100%">
      <Box flex="1 1 180px" miw={0}>
        <SearchableSelect
          label={text.access.app}
          placeholder={text.access.chooseApp}
          choices={appChoices(choices)}
          value={row.app ?? ''}
          onChange={(app) => onChange({ ...row, app })}
          error={tried && row.app === null && text.access.required}
        />
      </Box>
      <Select
        label={text.access.role}
        data={ROLES}
        value={row.role}
        onChange={(role) => onChange({ ...row, role: Role.parse(role) })}
        allowDeselect={false}
        w={170}
      />
      <IconButton
        icon={IconX}
        mt={28}
        aria-label={row.app === null ? text.access.removeRow : text.access.remove(row.app)}
        onClick={onRemove}
      />
    </Group>
  )
}

/** Changes the roles of an account. */
export function RolesDialog({ person, opened, onClose }: PersonDialogProps) {
  const [attempt, setAttempt] = useState(0)
  return (
    <Dialog opened={opened} onClose={onClose} title={text.rolesForm.title(person.name)} size="lg">
      <RolesForm
        key={attempt}
        person={person}
        onReview={() => setAttempt(attempt + 1)}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface RolesFormProps {
  /** As it is now; it may change while the form is filled in. */
  readonly person: PersonItem
  /** Starts the form anew with the roles as they are now. */
  readonly onReview: () => void
  readonly onClose: () => void
}

function RolesForm({ person, onReview, onClose }: RolesFormProps) {
  const { id, name, sessions } = person
  const [seen] = useState(person.access)
  const [draft, setDraft] = useState(() => draftOf(person.access))
  const [isSaved, setSaved] = useState(false)
  const save = useChange(serverClient.people.setAccess.mutate, {
    done: text.rolesForm.done(name),
    failed: text.rolesForm.failed(name),
    onAnswer: () => setSaved(true),
    onDone: onClose,
  })
  const access = accessOfDraft(draft)
  const isOutdated = !isSaved && !save.isPending && !isSame(seen, person.access)
  return (
    <DialogForm
      action={text.rolesForm.action}
      change={isOutdated ? { ...save, error: null } : save}
      valid={access !== undefined}
      disabled={isOutdated}
      onSubmit={() => access && save.send({ id, access, seen })}
    >
      {(tried) => (
        <>
          {isOutdated && (
            <Notice
              title={text.rolesForm.changed}
              action={{ name: text.rolesForm.review, onClick: onReview }}
            >
              <Text size="sm">{text.rolesForm.changedHint}</Text>
            </Notice>
          )}
          <AccessFields access={draft} tried={tried} onChange={setDraft} />
          {sessions > 0 && <Text size="sm">{text.rolesForm.effect(sessions)}</Text>}
        </>
      )}
    </DialogForm>
  )
}

/** The server lists apps in one order. */
function isSame(one: PageAccess, other: PageAccess): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A role in an app, while it is chosen. */
interface AppRoleDraft {
  /** Tells rows apart. */
  readonly key: number
  /** Null until it is chosen. */
  readonly app: string | null
  readonly role: Role
}

/** The roles of an account, while they are chosen. */
export interface AccessDraft {
  readonly server: Role | null
  readonly apps: readonly AppRoleDraft[]
}

/** Returns a draft of roles. */
export function draftOf({ server, apps }: PageAccess): AccessDraft {
  return { server, apps: apps.map((each, key) => ({ key, ...each })) }
}

/** Returns the roles of a draft; undefined while an app is missing. */
export function accessOfDraft({ server, apps }: AccessDraft): PageAccess | undefined {
  const chosen = apps.flatMap(({ app, role }) => (app === null ? [] : [{ app, role }]))
  return chosen.length === apps.length ? { server, apps: chosen } : undefined
}

/** Returns the draft with one more row. */
export function withAppRole({ server, apps }: AccessDraft): AccessDraft {
  const key = Math.max(0, ...apps.map((row) => row.key + 1))
  return { server, apps: [...apps, { key, app: null, role: 'viewer' }] }
}
