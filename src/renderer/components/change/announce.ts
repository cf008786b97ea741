import { notifications } from '@mantine/notifications'
import { consoleErrorOf } from '../../bridge/error.ts'

/** Says beside the screen, and to screen readers, that something was done: `Channel beta was created.` */
export function announce(message: string): void {
  notifications.show({ message, color: 'tide', autoClose: 4_000, withBorder: true })
}

/** Says beside the screen that something failed whose screen was left. Stays until it is dismissed. */
export function announceFailure(title: string, error: unknown): void {
  const { message } = consoleErrorOf(error)
  notifications.show({ title, message, color: 'red', autoClose: false, withBorder: true })
}
