import { isDeepStrictEqual } from 'node:util'
import type { ProvingSettings } from '../../shared/files/proving.ts'
import { parsedBy } from '../../shared/issue.ts'
import { DisplayName } from '../../shared/names.ts'
import type { Freeze } from '../../shared/plans/freeze.ts'
import type { RefusalFacts } from '../../shared/refusal.ts'
import { DEFAULT_CHANNEL, DEFAULT_POLICY } from '../../shared/releases/channel.ts'
import { type Actor, audit } from './audit-log.ts'
import { type Catalog, requireApp } from './catalog.ts'
import { invalid, Refusal } from './errors.ts'
import type { AppRecord, ChannelRecord } from './records.ts'
import { OUTDATED } from './releases/proofs.ts'
import { DuplicateError } from './store.ts'
import { storedActiveApp, storedApp } from './stored.ts'

/** Creates an app with the channel `stable`. `name` defaults to the `ref`. Throws `duplicate` and `invalid` (name). */
export async function createApp(
  catalog: Catalog,
  actor: Actor,
  input: { ref: string; name?: string | undefined },
): Promise<AppRecord> {
  const { ref } = input
  const name = requireDisplayName(input.name ?? ref)
  return await refuseDuplicate({ code: 'app_exists', app: ref }, () =>
    catalog.change(async (tx, at) => {
      const app = await tx.insertApp({ id: catalog.newId(), ref, name, createdAt: at })
      const first = { name: DEFAULT_CHANNEL, policy: DEFAULT_POLICY, createdAt: at }
      await tx.insertChannel({ appKey: app.key, ...first })
      const after = { ref, name, channels: [DEFAULT_CHANNEL] }
      await audit(tx, at, actor, 'app.created', { app: ref }, null, after)
      return app
    }),
  )
}

/** Changes the name that people see. A name that is the same changes nothing. Throws `invalid` (name). */
export async function renameApp(
  catalog: Catalog,
  actor: Actor,
  app: AppRecord,
  newName: string,
): Promise<void> {
  const name = requireDisplayName(newName)
  await catalog.change(async (tx, at) => {
    const before = (await storedApp(tx, app)).name
    if (before === name) return
    await tx.setAppName(app.key, name)
    await audit(tx, at, actor, 'app.renamed', { app: app.ref }, { name: before }, { name })
  })
}

/** Archives an app, so that it is not served, or restores it. */
export async function setAppArchived(
  catalog: Catalog,
  actor: Actor,
  app: AppRecord,
  archived: boolean,
): Promise<void> {
  await catalog.change(async (tx, at) => {
    const { archivedAt: before } = await storedApp(tx, app)
    if ((before !== null) === archived) return
    const archivedAt = archived ? at : null
    await tx.setArchived(app.key, archivedAt)
    const action = archived ? 'app.archived' : 'app.restored'
    await audit(tx, at, actor, action, { app: app.ref }, { archivedAt: before }, { archivedAt })
  })
}

/** Creates a channel with the default policy. Throws `unknown` (app) and `duplicate`. */
export async function createChannel(
  catalog: Catalog,
  actor: Actor,
  input: { app: string; name: string },
): Promise<ChannelRecord> {
  const app = requireApp(await catalog.refresh(), input.app).record
  const { name } = input
  return await refuseDuplicate({ code: 'channel_exists', app: app.ref, channel: name }, () =>
    catalog.change(async (tx, at) => {
      await storedActiveApp(tx, app)
      const policy = DEFAULT_POLICY
      const channel = await tx.insertChannel({ appKey: app.key, name, policy, createdAt: at })
      const subject = { app: app.ref, channel: name }
      await audit(tx, at, actor, 'channel.created', subject, null, { name, policy })
      return channel
    }),
  )
}

/** Returns a name for people as it is kept. Throws `invalid`. */
export function requireDisplayName(name: string): string {
  return parsedBy(DisplayName, name, ({ reason }) => invalid({ path: ['name'], reason }))
}

/** Runs a write; what exists already becomes that refusal. */
export async function refuseDuplicate<T>(facts: RefusalFacts, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof DuplicateError) throw new Refusal(facts)
    throw error
  }
}

/** The freezes of an app as they are to be, and those that they were decided on; undefined for any. */
export interface FreezesToSet {
  readonly freezes: readonly Freeze[]
  readonly seen?: readonly Freeze[] | undefined
}

/** Sets the days without steps of an app. The same changes nothing. Throws `unknown`, and `invariant` if they changed since seen. */
export async function setFreezes(
  catalog: Catalog,
  actor: Actor,
  app: AppRecord,
  { freezes, seen }: FreezesToSet,
): Promise<readonly Freeze[]> {
  const after = freezes.toSorted((one, other) => (one.firstDay < other.firstDay ? -1 : 1))
  return await catalog.change(async (tx, at) => {
    const { freezes: before } = await storedActiveApp(tx, app)
    if (seen !== undefined && !isDeepStrictEqual(seen, before)) {
      throw new Refusal({ code: 'freezes_changed', app: app.ref })
    }
    if (isDeepStrictEqual(before, after)) return before
    await tx.setFreezes(app.key, after)
    const states = [{ freezes: before }, { freezes: after }] as const
    await audit(tx, at, actor, 'app.freezes_changed', { app: app.ref }, ...states)
    return after
  })
}

/** The members to change; the others, and those that are undefined, stay. */
export type ProvingChange = {
  readonly [Member in keyof ProvingSettings]?: ProvingSettings[Member] | undefined
}

interface ProvingTask {
  readonly change: ProvingChange
  /** The settings that the change was decided on; undefined for any. */
  readonly seen?: ProvingSettings | undefined
  /** Hears of the hosts that are not allowed yet, inside the transaction; what it throws refuses the change. */
  readonly onAdded: (hosts: readonly string[]) => void
}

/**
 * Changes what the artifacts of an app are proven against; all that is served is then proven again soon. A change that
 * changes nothing writes nothing. Throws `unknown`, what `onAdded` throws, and `invariant` if the settings have changed
 * since those that were seen.
 */
export async function setProvingSettings(
  catalog: Catalog,
  actor: Actor,
  app: AppRecord,
  { change, seen, onAdded }: ProvingTask,
): Promise<ProvingSettings> {
  return await catalog.change(async (tx, at) => {
    const { proving: before } = await storedActiveApp(tx, app)
    if (seen !== undefined && !areSame(seen, before)) {
      throw new Refusal({ code: 'proving_changed', app: app.ref })
    }
    const { minisignKey = before.minisignKey, hosts = before.hosts } = change
    const { documentKeys = before.documentKeys } = change
    const lists = { hosts: [...new Set(hosts)], documentKeys: [...new Set(documentKeys)] }
    const after = { minisignKey, ...lists }
    onAdded(after.hosts.filter((host) => !before.hosts.includes(host)))
    if (areSame(before, after)) return before
    await tx.setProving(app.key, after)
    const isSameKey = after.minisignKey === before.minisignKey
    await tx.setProofsDue(app.key, isSameKey ? at : OUTDATED)
    await audit(tx, at, actor, 'app.proving_changed', { app: app.ref }, before, after)
    return after
  })
}

function areSame(one: ProvingSettings, other: ProvingSettings): boolean {
  return (
    one.minisignKey === other.minisignKey &&
    isDeepStrictEqual(one.hosts, other.hosts) &&
    isDeepStrictEqual(one.documentKeys, other.documentKeys)
  )
}
