import { notifications } from '@mantine/notifications'

/** Says in a corner, and to screen readers, that something was done: `Channel beta was created.` */
export function announce(message: string): void {
  notifications.show({ message, color: 'tide', autoClose: 4_000, withBorder: true })
}
