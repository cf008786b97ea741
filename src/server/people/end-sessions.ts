import type { Session } from './account.ts'
import { type Acting, requirePerson } from './administration.ts'
import type { Directory } from './directory.ts'
import { sessionIdsOf } from './sessions.ts'

/** Ends a session. Does nothing if it has ended. */
export async function endSession(
  directory: Directory,
  { actor }: Acting,
  sessionId: string,
): Promise<void> {
  await directory.change(async ({ tx, stored, audit }) => {
    const session = stored.sessionById.get(sessionId)
    const owner = session && stored.accountById.get(session.accountId)
    if (session === undefined || owner === undefined) return
    await tx.deleteSessions([sessionId])
    const before = { name: owner.record.name, address: session.address }
    await audit(actor, 'session.ended', before, null)
  })
}

/** Ends the other sessions of the account. Returns how many. */
export async function endOtherSessions(
  directory: Directory,
  { actor }: Acting,
  { id, account }: Session,
): Promise<number> {
  return await directory.change(async ({ tx, stored, audit }) => {
    const ids = sessionIdsOf(stored, account.id, id)
    await tx.deleteSessions(ids)
    for (const { address } of ids.flatMap((other) => stored.sessionById.get(other) ?? [])) {
      await audit(actor, 'session.ended', { name: account.name, address }, null)
    }
    return ids.length
  })
}

/** Ends all sessions of an account. Returns how many. Throws `unknown_person`. */
export async function endSessionsOf(
  directory: Directory,
  { actor }: Acting,
  accountId: string,
): Promise<number> {
  return await directory.change(async ({ tx, stored, audit }) => {
    const { record, sessions } = requirePerson(stored, accountId)
    await tx.deleteSessions(sessions.map(({ id }) => id))
    for (const { address } of sessions) {
      await audit(actor, 'session.ended', { name: record.name, address }, null)
    }
    return sessions.length
  })
}
