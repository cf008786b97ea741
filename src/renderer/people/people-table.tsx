import { ActionIcon, Badge, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import type { PersonItem } from '../../shared/console/people.ts'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { When } from '../components/text/when.tsx'
import classes from './people.module.css'
import type { PersonAction } from './person-action.ts'
import { PersonDialogs } from './person-dialogs.tsx'
import { ROLE_WORDS, text } from './strings.ts'

/** All accounts, and what can be done about each. */
export function PeopleTable({ people }: { readonly people: readonly PersonItem[] }) {
  const [asked, setAsked] = useState<{ readonly action: PersonAction; readonly id: string }>()
  const { columns } = text
  return (
    <Panel flush title={text.accounts}>
      <Table aria-label={text.accounts} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.name}</Table.Th>
            <Table.Th>{columns.roles}</Table.Th>
            <Table.Th>{columns.status}</Table.Th>
            <Table.Th>{columns.twoFactor}</Table.Th>
            <Table.Th>{columns.lastSeen}</Table.Th>
            <Table.Th w={48}>
              <VisuallyHidden>{columns.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              onAction={(action) => setAsked({ action, id: person.id })}
            />
          ))}
        </Table.Tbody>
      </Table>
      <PersonDialogs
        person={people.find(({ id }) => id === asked?.id)}
        action={asked?.action}
        onClose={() => setAsked(undefined)}
      />
    </Panel>
  )
}

interface RowProps {
  readonly person: PersonItem
  readonly onAction: (action: PersonAction) => void
}

function PersonRow({ person, onAction }: RowProps) {
  const { name, status, openLink, twoFactor, passkeys, sessions, lastSeenAt, isSelf } = person
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm" fw={500} className={classes.name}>
            {name}
          </Text>
          {isSelf && (
            <Badge variant="default" size="sm" tt="none">
              {text.you}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Roles person={person} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
        {openLink !== null && (
          <Text size="xs" c="dimmed">
            {text.openLink[openLink.kind]} <When at={openLink.expiresAt} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {twoFactor ? text.twoFactorOn : text.twoFactorOff}
        {passkeys > 0 && (
          <Text size="xs" c="dimmed">
            {text.passkeys(passkeys)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <When at={lastSeenAt} />
        {sessions > 0 && (
          <Text size="xs" c="dimmed">
            {text.sessions(sessions)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end">
        <PersonMenu person={person} onAction={onAction} />
      </Table.Td>
    </Table.Tr>
  )
}

function Roles({ person: { access } }: { readonly person: PersonItem }) {
  const { server, apps } = access
  if (server === null && apps.length === 0) return <Text c="dimmed">{text.noRole}</Text>
  return (
    <>
      {server !== null && <div>{ROLE_WORDS[server].name}</div>}
      {apps.map(({ app, role }) => (
        <Text key={app} size={server === null ? 'sm' : 'xs'} c={server === null ? '' : 'dimmed'}>
          {text.inApp(ROLE_WORDS[role].name, app)}
        </Text>
      ))}
    </>
  )
}

interface Props {
  readonly person: PersonItem
  readonly onAction: (action: PersonAction) => void
}

/** What an administrator can do about an account; nobody changes their own access. */
function PersonMenu({ person, onAction }: Props) {
  const { name, status, sessions, twoFactor, isSelf } = person
  const item = (action: PersonAction, label: string) => (
    <Menu.Item onClick={() => onAction(action)}>{label}</Menu.Item>
  )
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon color="gray" aria-label={text.manage(name)}>
          <IconDots size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isSelf && item('roles', text.actions.roles)}
        {item('email', text.actions.email)}
        {status === 'invited' && item('link', text.actions.invitation)}
        {!isSelf && status === 'active' && item('link', text.actions.reset)}
        {sessions > 0 && item('sessions', text.actions.sessions)}
        {!isSelf && twoFactor && item('twoFactor', text.actions.twoFactor)}
        {!isSelf && status !== 'disabled' && item('disable', text.actions.disable)}
        {status === 'disabled' && item('enable', text.actions.enable)}
        {!isSelf && (
          <Menu.Item c="var(--tidegate-bad)" onClick={() => onAction('remove')}>
            {text.actions.remove}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
