import { z } from 'zod'
import { KeyItem } from '../../../shared/access/key.ts'
import { MintedKey, MintInput } from '../../../shared/console/apps.ts'
import { describeKey } from '../../use-cases/manage/manage-keys.ts'
import { commandProcedure } from '../command-context.ts'
import { requireConfirmed } from '../reach.ts'
import { router } from '../trpc.ts'

export const keyRoutes = router({
  list: commandProcedure
    .output(z.array(KeyItem))
    .query(async ({ ctx: { catalog, updates, principal } }) => {
      const keys = await updates.listKeys(principal)
      return keys.map((key) => describeKey(catalog.snapshot, key))
    }),

  mint: commandProcedure
    .input(MintInput)
    .output(MintedKey)
    .mutation(async ({ ctx, input: { app, ...key } }) => {
      const { catalog, updates, principal, session } = ctx
      if (key.bypassApproval) await requireConfirmed(session)
      const minted = await updates.mintKey(principal, { ...key, app: app ?? undefined })
      return { secret: minted.secret, key: describeKey(catalog.snapshot, minted.key) }
    }),

  revoke: commandProcedure
    .input(z.strictObject({ prefix: z.string() }))
    .output(KeyItem)
    .mutation(async ({ ctx: { catalog, updates, principal }, input }) =>
      describeKey(catalog.snapshot, await updates.revokeKey(principal, input.prefix)),
    ),
})
