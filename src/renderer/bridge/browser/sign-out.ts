import { announceFailure } from '../../components/change/announce.ts'
import { accountClient } from './account-client.ts'

/** Ends the session of the page and opens the sign-in page. `failed`: what is announced if the server cannot be reached. */
export async function signOut(failed: string): Promise<void> {
  try {
    await accountClient.signOut.mutate()
    // Not `location.hash`: a form with unsaved changes would ask first.
    history.replaceState(null, '', '#/')
    // Nothing of what the person saw stays in the page.
    location.reload()
  } catch (error) {
    announceFailure(failed, error)
  }
}
