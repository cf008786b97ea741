import { consoleCode } from '../../web-console/console-code.ts'
import { ConsoleCodeDocument } from '../documents/documents.ts'
import { Failure } from '../errors.ts'
import type { ReadOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { localConsole } from '../server/local-console.ts'
import { withExisting } from '../session.ts'
import { text } from '../strings/person.ts'

/** Prints what opens the console of the running server in a new browser of this computer. */
export async function printConsoleCode(options: ReadOptions): Promise<void> {
  await withExisting(options, async ({ storage: { engine } }) => {
    const token = (await engine.holder())?.statusToken ?? null
    const address = await localConsole(engine)
    if (token === null || address === null) throw new Failure(text.noServer)
    const code = consoleCode(token)
    const url = `${address}#/code/${code}`
    if (options.json) printJson(ConsoleCodeDocument, { code, url })
    else print(url)
  })
}
