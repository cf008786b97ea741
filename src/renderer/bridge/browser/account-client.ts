import { createTRPCClient } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AccountRouter } from '../../../server/web-console/account.ts'
import { confirmingLink } from '../confirming-link.ts'
import { queryClient } from '../query-client.ts'
import { httpLink } from './http-link.ts'

/** What a browser can ask of the server before anybody has signed in. */
export const accountClient = createTRPCClient<AccountRouter>({
  links: [confirmingLink(), httpLink('account')],
})

/** The same as options for TanStack Query. */
export const account = createTRPCOptionsProxy<AccountRouter>({ client: accountClient, queryClient })
