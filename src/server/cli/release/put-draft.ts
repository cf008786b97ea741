import { type Draft, DraftAnswer, type DraftBody } from '../../../shared/releases/draft.ts'
import type { CommandOptions } from '../command/options.ts'
import { print, printAnswer } from '../command/output.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { differencesOf } from '../publish/differences.ts'
import { type IfExists, orExisting, type Published } from '../publish/publish-or-same.ts'
import type { CommandServer } from '../server/calls.ts'
import { withServer } from '../server/connect.ts'
import { text } from '../strings/draft.ts'
import { text as publishText } from '../strings/publish.ts'
import { printDraft } from './draft.ts'
import { printReleases } from './release-table.ts'

/** `publish --draft`: adds what was read to a draft. */
export async function putDraft(
  body: DraftBody,
  ifExists: IfExists,
  options: CommandOptions,
): Promise<void> {
  const result = await withServer(options, (server) => putOnce(server, body, ifExists))
  if ('draft' in result) {
    printAnswer(options, DraftAnswer, result, () => printDraft(result.draft))
    return
  }
  printAnswer(options, PublishedDocument, result, () => {
    printReleases([result.release])
    print(text.alreadyPublished(body.version))
  })
}

/** Adds to a draft. With `same-ok`, the same version may be published: the job runs again. Throws `StateConflict`. */
async function putOnce(
  server: CommandServer,
  body: DraftBody,
  ifExists: IfExists,
): Promise<{ readonly draft: Draft } | Published> {
  const put = async () => ({ draft: await server.drafts.put.mutate(body) })
  return await orExisting(server, body, ifExists, put, (release, place) => {
    const { version, notes, artifacts = [], documents = [] } = body
    const others = (release.documents ?? []).filter(
      ({ name }) => !documents.some((each) => each.name === name),
    )
    const all = [...others, ...documents]
    const wanted = { notes: notes ?? release.notes, artifacts, documents: all }
    // Other jobs have added the others.
    const differences = differencesOf(release, wanted).filter(({ code }) => code !== 'additional')
    const words = differences.map(publishText.difference)
    return words.length === 0 ? undefined : publishText.differs(place, version, words)
  })
}
