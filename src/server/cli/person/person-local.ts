import { consoleCode } from '../../web-console/console-code.ts'
import { Failure } from '../command/errors.ts'
import type { ReadOptions } from '../command/options.ts'
import { printAnswer } from '../command/output.ts'
import { ConsoleCodeDocument } from '../documents/documents.ts'
import { localConsole } from '../server/own-server.ts'
import { requireConfirmation, withStorage } from '../server/session.ts'
import { text } from '../strings/person.ts'
import { printLink } from './person-link.ts'

/** Prints what opens the console of the running server in a new browser of this computer. */
export async function printConsoleCode(options: ReadOptions): Promise<void> {
  await withStorage(options, async ({ storage: { engine } }) => {
    const token = (await engine.holder())?.statusToken ?? null
    const address = await localConsole(engine)
    if (token === null || address === null) throw new Failure(text.noServer)
    const code = consoleCode(token)
    const url = `${address}#/code/${code}`
    printAnswer(options, ConsoleCodeDocument, { code, url }, url)
  })
}

/** Prints the link that creates the first administrator. */
export async function printSetupLink(
  options: ReadOptions & { readonly console?: string },
): Promise<void> {
  await withStorage(options, async ({ catalog, storage }) => {
    const { People } = await import('../../people/people.ts')
    const appRef = (key: number) => catalog.snapshot.appByKey.get(key)?.record.ref
    const people = await People.open(storage.people, { appRef })
    const link = await people.createSetupLink()
    await requireConfirmation(storage, 'people', people.revision)
    const console = options.console ?? (await localConsole(storage.engine))
    printLink({ ...link, console }, options)
  })
}
