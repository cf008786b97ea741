import { type Draft, DraftAnswer, type DraftBody } from '../../../shared/draft.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { StateConflict } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { differencesOf } from '../publish/differences.ts'
import type { IfExists, Published } from '../publish/publish-or-same.ts'
import { printReleases } from '../release/release-table.ts'
import type { CommandServer } from '../server/calls.ts'
import { withServer } from '../server/connect.ts'
import { isDuplicateRelease } from '../server/duplicate.ts'
import { text } from '../strings/draft.ts'
import { text as publishText } from '../strings/publish.ts'
import { printDraft } from './show.ts'

/** `publish --draft`: adds what was read to a draft. */
export async function putDraft(
  body: DraftBody,
  ifExists: IfExists,
  options: CommandOptions,
): Promise<void> {
  const result = await withServer(options, (server) => putOnce(server, body, ifExists))
  if ('draft' in result) {
    if (options.json) printJson(DraftAnswer, result)
    else printDraft(result.draft)
    return
  }
  if (options.json) printJson(PublishedDocument, result)
  else {
    printReleases([result.release])
    print(text.alreadyPublished(body.version))
  }
}

/**
 * Adds to a draft. With `same-ok`, a version that is published with the same files is left as it is: the job runs
 * again. Throws `StateConflict` that names what differs; with an API key, comparing needs the scope `read`.
 */
async function putOnce(
  server: CommandServer,
  body: DraftBody,
  ifExists: IfExists,
): Promise<{ readonly draft: Draft } | Published> {
  try {
    return { draft: await server.drafts.put.mutate(body) }
  } catch (error) {
    if (ifExists === 'fail' || !isDuplicateRelease(error)) throw error
  }
  const { app, channel, version, notes, artifacts = [], documents } = body
  const release = await server.commandLine.release.query({ app, channel, version })
  const others = (release.documents ?? []).filter(
    ({ name }) => !documents?.some((each) => each.name === name),
  )
  const all = [...others, ...(documents ?? [])]
  const wanted = { notes: notes ?? release.notes, artifacts, documents: all }
  // Other jobs have added the others.
  const differences = differencesOf(release, wanted).filter(({ code }) => code !== 'additional')
  if (differences.length === 0) return { release, created: false }
  const place = `${release.app}/${release.channel}`
  const words = differences.map(publishText.difference)
  throw new StateConflict(publishText.differs(place, version, words))
}
