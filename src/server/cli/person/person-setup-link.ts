import type { ReadOptions } from '../options.ts'
import { localConsole } from '../server/local-console.ts'
import { requireConfirmation, withExisting } from '../session.ts'
import { printLink } from './person-link.ts'

/** Prints the link that creates the first administrator. */
export async function printSetupLink(
  options: ReadOptions & { readonly console?: string },
): Promise<void> {
  await withExisting(options, async ({ catalog, storage }) => {
    const { People } = await import('../../people/people.ts')
    const appRef = (key: number) => catalog.snapshot.appByKey.get(key)?.record.ref
    const people = await People.open(storage.people, { appRef })
    const link = await people.createSetupLink()
    await requireConfirmation(storage, 'people', people.revision)
    printLink(
      { ...link, console: options.console ?? (await localConsole(storage.engine)) },
      options.json,
    )
  })
}
