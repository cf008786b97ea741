import { consoleCode } from '../../web-console/console-code.ts'
import { Failure } from '../command/errors.ts'
import type { ReadOptions } from '../command/options.ts'
import { printAnswer } from '../command/output.ts'
import { ConsoleCodeDocument, LinkDocument } from '../documents/documents.ts'
import { localConsole } from '../server/own-server.ts'
import { requireConfirmation, withStorage } from '../server/session.ts'
import { personText as text } from '../strings/catalog.ts'

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

export interface PersonLink {
  readonly token: string
  readonly expiresAt: string
  /** The address of the console, null if it is not known. */
  readonly console: string | null
}

/** Prints a link that works once. */
export function printLink(
  { token, expiresAt, console }: PersonLink,
  options: Pick<ReadOptions, 'json'>,
): void {
  const path = `#/link/${token}`
  const url = console === null ? null : `${console.replace(/[/#]*$/, '')}/${path}`
  const line = url === null ? text.linkWithoutServer(`/console/${path}`) : text.link(url)
  printAnswer(options, LinkDocument, { url, path: `/console/${path}`, expiresAt }, line)
}
