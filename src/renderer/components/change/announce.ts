import { notifications } from '@mantine/notifications'
import { consoleErrorOf } from '../../bridge/error.ts'
import { queryClient } from '../../bridge/query-client.ts'
import { announcedTitle } from './fault.ts'

/** Says beside the screen, and to screen readers, that something was done: `Channel beta was created.` */
export function announce(message: string): void {
  notifications.show({ message, color: 'tide', autoClose: 4_000, withBorder: true })
}

/**
 * Says beside the screen that something failed: whose screen was left, or has no place for it. Stays until it is dismissed.
 * Returns its id.
 */
export function announceFailure(failed: string, error: unknown): string {
  const [title, { message }] = [announcedTitle(error, failed), consoleErrorOf(error)]
  return notifications.show({ title, message, color: 'red', autoClose: false, withBorder: true })
}

interface Options {
  /** What is announced when it is done; undefined where the page itself shows it. */
  readonly done: string | undefined
  /** Title of the announcement if it fails. */
  readonly failed: string
}

/** Makes a change that has no screen, and announces its outcome. Screens and dialogs use `useChange`. Never rejects. */
export async function runChange(
  call: () => Promise<unknown>,
  { done, failed }: Options,
): Promise<void> {
  try {
    await call()
    if (done !== undefined) announce(done)
    await queryClient.invalidateQueries()
  } catch (error) {
    announceFailure(failed, error)
  }
}
