import { createTRPCClient, splitLink } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AccountRouter } from '../../../server/web-console/account.ts'
import { announceFailure } from '../../components/change/announce.ts'
import { confirmingLink } from '../confirming-link.ts'
import { queryClient } from '../query-client.ts'
import { limitedLink, repeatingLink } from '../repeating-link.ts'
import { httpLink } from './http-link.ts'

/** What a browser can ask of the server before anybody has signed in. */
export const accountClient = createTRPCClient<AccountRouter>({
  links: [
    confirmingLink(),
    splitLink({
      // What leads to a session is not repeated: a second answer would bring none.
      condition: ({ path }) => path.startsWith('own.'),
      true: [repeatingLink(() => true), httpLink('account')],
      false: [limitedLink(), httpLink('account')],
    }),
  ],
})

/** The same as options for TanStack Query. */
export const account = createTRPCOptionsProxy<AccountRouter>({ client: accountClient, queryClient })

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
