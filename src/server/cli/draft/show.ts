import { type Draft, DraftAnswer, type DraftPlace } from '../../../shared/draft.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson, printTable } from '../output.ts'
import { withServer } from '../server/connect.ts'
import { text } from '../strings/draft.ts'

/** `draft show`. */
export async function show(place: DraftPlace, options: CommandOptions): Promise<void> {
  const { draft } = await withServer(options, (server) => server.drafts.get.query(place))
  if (options.json) printJson(DraftAnswer, { draft })
  else printDraft(draft)
}

/** `draft delete`. */
export async function discard(place: DraftPlace, options: CommandOptions): Promise<void> {
  const draft = await withServer(options, (server) => server.drafts.discard.mutate(place))
  if (options.json) printJson(DraftAnswer, { draft })
  else print(text.deleted(draft.version, `${draft.app}/${draft.channel}`))
}

/** Writes a draft with its artifacts to stdout. */
export function printDraft(draft: Draft): void {
  const { app, channel, version, artifacts, expiresAt } = draft
  print(text.shown(version, `${app}/${channel}`, artifacts.length, expiresAt))
  if (artifacts.length === 0) return
  const hasFloors = artifacts.some(({ minimumSystemVersion }) => minimumSystemVersion !== undefined)
  printTable(
    [...text.artifactHeadings, ...(hasFloors ? [text.floorHeading] : []), text.urlHeading],
    artifacts.map(({ platform, arch, kind, size, minimumSystemVersion, url }) => [
      platform,
      arch,
      kind === '' ? null : kind,
      size === 0 ? null : size,
      ...(hasFloors ? [minimumSystemVersion ?? null] : []),
      url,
    ]),
    '',
  )
}
