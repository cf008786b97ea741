import { DraftListAnswer } from '../../../shared/draft.ts'
import { UsageError } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson, printTable } from '../output.ts'
import { withServer } from '../server/connect.ts'
import { text } from '../strings/draft.ts'

const words = text.list

export interface ListOptions extends CommandOptions {
  readonly channel?: string
  readonly page?: number
  readonly perPage?: number
}

/** `draft list`. */
export async function list(app: string | undefined, options: ListOptions): Promise<void> {
  const { channel, page = 1, perPage = 20 } = options
  if (app === undefined && channel !== undefined) throw new UsageError(words.channelNeedsApp)
  const found = await withServer(options, (server) =>
    server.drafts.list.query({ app, channel, page, perPage }),
  )
  if (options.json) {
    printJson(DraftListAnswer, found)
    return
  }
  const { drafts, pageCount, total } = found
  printTable(
    words.headings,
    drafts.map((draft) => [
      draft.app,
      draft.channel,
      draft.version,
      draft.artifacts.length,
      draft.updatedAt,
      draft.expiresAt,
    ]),
    words.empty,
  )
  if (pageCount > 1) print(words.pages(page, pageCount, total))
}
