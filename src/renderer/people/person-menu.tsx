import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { PersonItem } from '../../shared/console/people.ts'
import type { PersonAction } from './person-action.ts'
import { text } from './strings.ts'

interface Props {
  readonly person: PersonItem
  readonly onAction: (action: PersonAction) => void
}

/** What an administrator can do about an account; nobody changes their own access. */
export function PersonMenu({ person, onAction }: Props) {
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
