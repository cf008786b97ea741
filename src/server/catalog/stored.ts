import { Refusal } from './errors.ts'
import type { AppRecord, ChannelRecord } from './records.ts'
import type { CatalogChannel } from './snapshot.ts'
import type { CatalogReads } from './store.ts'

/** The app as it is stored now, archived or not. Throws `unknown` when it was removed since the snapshot was taken. */
export async function storedApp(tx: CatalogReads, { key, ref }: AppRecord): Promise<AppRecord> {
  const app = (await tx.apps()).find((candidate) => candidate.key === key)
  if (app === undefined) throw unknownApp(ref)
  return app
}

/** The same, but throws `unknown` for an archived app too. */
export async function storedActiveApp(tx: CatalogReads, app: AppRecord): Promise<AppRecord> {
  const stored = await storedApp(tx, app)
  if (stored.archivedAt !== null) throw unknownApp(app.ref)
  return stored
}

/** The channel as it is stored now. Throws `unknown` when it or its app is gone or archived. */
export async function storedChannel(
  tx: CatalogReads,
  { app, record }: Pick<CatalogChannel, 'app' | 'record'>,
): Promise<ChannelRecord> {
  await storedActiveApp(tx, app)
  const channel = (await tx.channels()).find(({ key }) => key === record.key)
  if (channel !== undefined) return channel
  throw new Refusal({ code: 'unknown_channel', app: app.ref, channel: record.name })
}

function unknownApp(ref: string): Refusal {
  return new Refusal({ code: 'unknown_app', app: ref })
}
