import { queryClient } from '../../bridge/query-client.ts'
import { announce, announceFailure } from './announce.ts'

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
