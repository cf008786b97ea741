import { procedure, router } from './trpc.ts'

/** Tells the page that what it shows has changed. */
export const eventRoutes = router({
  changes: procedure.subscription(({ ctx, signal }) => ctx.changes.follow(signal)),
})
