import { Group, Menu, Text } from '@mantine/core'
import { IconDots, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonItem } from '../../../shared/console/people/people.ts'
import { server } from '../../bridge/clients.ts'
import { IconButton, Panel } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { ListScreen } from '../../components/list/list-screen.tsx'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { Small, Strong, Tag, When } from '../../components/text/words.tsx'
import classes from '../access.module.css'
import type { PersonAction } from './confirm-dialogs.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonDialogs } from './person-dialogs.tsx'
import { ROLE_WORDS, text } from './strings.ts'

/** The people who can sign in to the console, for administrators of the server. */
export function Component() {
  // When somebody was last seen is no change that the server announces.
  const people = useQuery(server.people.list.queryOptions(undefined, { refetchOnMount: 'always' }))
  return (
    <ListScreen
      title={text.title}
      description={text.description}
      query={people}
      create={text.invite}
      dialog={InviteDialog}
      empty={{ icon: IconUsers, title: text.empty, hint: text.emptyHint }}
    >
      {(list) => <PeopleTable people={list} />}
    </ListScreen>
  )
}

/** All accounts, and what can be done about each. */
function PeopleTable({ people }: { readonly people: readonly PersonItem[] }) {
  const [asked, setAsked] = useState<{ readonly action: PersonAction; readonly id: string }>()
  const { columns } = text
  return (
    <Panel flush title={text.accounts}>
      <DataTable
        label={text.accounts}
        className={classes.people}
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          { name: columns.name, cell: (person) => <PersonName person={person} /> },
          { name: columns.roles, cell: (person) => <Roles person={person} /> },
          { name: columns.status, cell: (person) => <Status person={person} /> },
          {
            name: columns.twoFactor,
            cell: ({ twoFactor, passkeys }) => (
              <>
                {twoFactor ? text.twoFactorOn : text.twoFactorOff}
                {passkeys > 0 && <Small>{text.passkeys(passkeys)}</Small>}
              </>
            ),
          },
          {
            name: columns.lastSeen,
            cell: ({ lastSeenAt, sessions }) => (
              <>
                <When at={lastSeenAt} />
                {sessions > 0 && <Small>{text.sessions(sessions)}</Small>}
              </>
            ),
          },
          {
            ...{ name: columns.actions, isUnnamed: true, ta: 'end', w: 48 },
            cell: (person) => (
              <PersonMenu
                person={person}
                onAction={(action) => setAsked({ action, id: person.id })}
              />
            ),
          },
        ]}
      />
      <PersonDialogs
        person={people.find(({ id }) => id === asked?.id)}
        action={asked?.action}
        onClose={() => setAsked(undefined)}
      />
    </Panel>
  )
}

interface PersonProps {
  readonly person: PersonItem
}

function PersonName({ person: { name, isSelf } }: PersonProps) {
  return (
    <Group gap="xs">
      <Strong className="wraps">{name}</Strong>
      {isSelf && <Tag>{text.you}</Tag>}
    </Group>
  )
}

function Status({ person: { status, openLink } }: PersonProps) {
  return (
    <>
      <StatusBadge status={status} />
      {openLink !== null && (
        <Small>
          {text.openLink[openLink.kind]} <When at={openLink.expiresAt} />
        </Small>
      )}
    </>
  )
}

function Roles({ person: { access } }: PersonProps) {
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
        <IconButton icon={IconDots} aria-label={text.manage(name)} />
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
