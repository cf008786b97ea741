import { z } from 'zod'
import {
  BrowserSubscription,
  NotificationChoices,
  OwnNotifications,
} from '../../shared/events/notifications.ts'
import { boundedCaller } from '../people/account.ts'
import { type AccountContext, ownProcedure, router } from './account-context.ts'

/** The browser, while it gets notifications. */
const Known = z.strictObject({ id: z.string().nullable() })

/** How people are notified. */
export const ownNotificationsRouter = router({
  get: ownProcedure
    .output(OwnNotifications)
    .query(({ ctx: { notifications, session } }) => notifications.of(session.account.id)),

  choose: ownProcedure
    .input(NotificationChoices)
    .output(z.void())
    .mutation(({ ctx: { notifications, session }, input }) =>
      notifications.choose(session.account.id, input),
    ),

  /** Sends push notifications to the browser, from now on. */
  addBrowser: ownProcedure
    .input(BrowserSubscription)
    .output(z.strictObject({ id: z.string() }))
    .mutation(async ({ ctx, input }) => ({
      id: await ctx.notifications.add(subscriberOf(ctx), input),
    })),

  /** Whether the browser gets push notifications of the person; notes that it is still used. */
  keepBrowser: ownProcedure
    .input(BrowserSubscription.pick({ endpoint: true }))
    .output(Known)
    .mutation(async ({ ctx, input: { endpoint } }) => ({
      id: await ctx.notifications.keep(subscriberOf(ctx), endpoint),
    })),

  removeBrowser: ownProcedure
    .input(z.strictObject({ id: z.string().max(64) }))
    .output(z.void())
    .mutation(({ ctx: { notifications, session }, input: { id } }) =>
      notifications.remove(session.account.id, id),
    ),
})

function subscriberOf({
  session,
  caller,
}: Required<Pick<AccountContext, 'session' | 'caller'>> & {
  readonly session: NonNullable<AccountContext['session']>
}) {
  const { userAgent } = boundedCaller(caller)
  return { accountId: session.account.id, sessionId: session.id, userAgent }
}
