import { Catalog } from '../catalog/catalog.ts'
import { expireChangeRequests, expireDrafts } from '../catalog/expiry.ts'
import { People } from '../people/people.ts'
import { ScheduledJob } from '../runtime/async/scheduled-job.ts'
import { whileLeading } from '../runtime/cluster/leadership.ts'
import type { Storage } from '../storage/interface/storage.ts'
import { openStorage } from '../storage/open-storage.ts'
import { Contact } from '../use-cases/contact.ts'
import type { ServerParts, Wiring } from './running-server.ts'

/** Milliseconds between two looks at what has expired. */
const LOOK = 60_000

interface Parts extends Pick<Wiring, 'config' | 'log' | 'closing' | 'failed'> {
  readonly parts: ServerParts
}

/** What every other part of a server works on. */
export interface CorePart {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly people: People
  readonly contact: Contact
}

/** Opens the data with the catalog and the people in it, and follows what others change there. Rejects with `StorageError`. */
export async function openCore({ config, log, parts, closing, failed }: Parts): Promise<CorePart> {
  const { dataFolder, database, nodeName } = config
  const storage = await openStorage(
    { dataFolder, database, nodeName },
    {
      onMigrate: (versions) => {
        log.info(versions, 'migrating database')
        parts.onMigrate?.(versions)
      },
      onMigrated: (result) => log.info(result, 'database migrated'),
      onTrouble: (trouble) => {
        if (trouble === null) log.info('database file is back')
        else log.error({ trouble }, 'database file lost, writes suspended')
      },
    },
  )
  closing.add(() => storage.close())
  const catalog = await Catalog.open(storage.catalog, failed('could not reload the catalog'), {
    ...parts,
    onServed: (revision) => storage.setServed('catalog', revision),
  })
  catalog.watch()
  closing.add(() => catalog.stop())
  const people = await People.open(storage.people, {
    ...{ clock: parts.clock, newId: parts.newId },
    ...{ passwordCost: parts.passwordCost, judgePassword: parts.judgePassword },
    provider: config.provider,
    signInState: storage.signInState,
    appRef: (appKey) => catalog.snapshot.appByKey.get(appKey)?.record.ref,
    onFailure: failed('could not update accounts or sessions'),
    onServed: (revision) => storage.setServed('people', revision),
  })
  people.watch()
  const contact = new Contact({
    mayServe: () => storage.mayServe(),
    acknowledged: (part, revision) => storage.acknowledged(part, revision),
    ...parts.contact,
    served: () => ({ catalog: catalog.snapshot.revision, people: people.revision }),
    onFailure: failed('could not ask the other servers whether they serve a change'),
  })
  closing.add(() => people.stop())
  const expiry = (expire: (catalog: Catalog) => Promise<number>, what: string) =>
    new ScheduledJob(() => expire(catalog), {
      ...{ first: LOOK, every: LOOK, onFailure: failed(`could not expire ${what}`) },
    })
  const expiries = [expiry(expireChangeRequests, 'change requests'), expiry(expireDrafts, 'drafts')]
  closing.add(whileLeading(storage.leadership('change_requests'), expiries))
  return { storage, catalog, people, contact }
}
