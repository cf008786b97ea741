import { z } from 'zod'
import { DecisionExplanation } from '../../devices/explanation.ts'
import { SignedDocuments } from '../../files/signed-document.ts'
import { Arch, BundleKind, Platform, Version } from '../../names.ts'
import { Draft, DraftPlace, PublishDraftBody } from '../../releases/draft.ts'
import { UpdateManifest } from '../../releases/manifest.ts'
import { Artifacts, Notes } from '../../releases/release.ts'
import { ReleasesInput } from '../command-line.ts'

/** Which drafts to list, and which page of them. */
export const DraftsInput = ReleasesInput

/** A draft, with what tells whether it has changed: another text after every change. */
export const ShownDraft = z.strictObject({ draft: Draft, revision: z.string() })
export type ShownDraft = z.infer<typeof ShownDraft>

const seen = z.string().max(64)

/** The whole content of a draft, and the revision that it was edited on; null for a new one. */
export const SaveDraftInput = DraftPlace.extend({
  notes: Notes,
  artifacts: Artifacts,
  documents: SignedDocuments.optional(),
  seen: seen.nullable(),
})

/** With `seen`, only that state of the draft is published; with `content`, that in its place. */
export const ApplyDraftInput = PublishDraftBody.extend({
  content: SaveDraftInput.pick({ notes: true, artifacts: true, documents: true }).optional(),
  seen: seen.optional(),
})

/** What a device would say of itself. */
export const DraftPreviewInput = DraftPlace.extend({
  device: z.strictObject({
    version: Version,
    platform: Platform,
    arch: Arch,
    /** Empty if it does not name its bundle. */
    bundle: z.union([z.literal(''), BundleKind]),
  }),
})
export type DraftPreviewInput = z.infer<typeof DraftPreviewInput>

/** The decision on that device if the draft were published for all devices. */
export const DraftPreview = DecisionExplanation.extend({ update: UpdateManifest.nullable() })
