import { z } from 'zod'
import { SignedDocument, SignedDocuments } from '../files/signed-document.ts'
import {
  Arch,
  ArtifactKind,
  ChannelPlace,
  Platform,
  RELEASE_NAMES,
  Timestamp,
  Version,
} from '../names.ts'
import { Artifact, Artifacts, MAX_ARTIFACTS, Notes, PublishBody } from './release.ts'
import { ReleaseListQuery } from './release-list.ts'

/** Most drafts of an app. */
export const MAX_DRAFTS = 100
/** Of these, drafts that one person or key has made. */
export const MAX_OWN_DRAFTS = 50

/** Days after its last change when a draft is deleted. */
export const DRAFT_DAYS = 30

/** A release that is being put together: it is neither served nor listed as a release. */
export const Draft = z
  .strictObject({
    ...RELEASE_NAMES,
    notes: z.string().meta({ description: 'Release notes in Markdown' }),
    artifacts: z.array(Artifact),
    documents: z.array(SignedDocument).optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    expiresAt: Timestamp.meta({
      description: `When the draft is deleted: ${DRAFT_DAYS} days after its last change`,
      examples: ['2026-04-13T09:26:53.589Z'],
    }),
  })
  .meta({ id: 'Draft' })
export type Draft = z.infer<typeof Draft>

/** Names a draft. */
export const DraftPlace = ChannelPlace.extend({ version: Version }).meta({ id: 'DraftPlace' })
export type DraftPlace = z.infer<typeof DraftPlace>

/** Body of a call that creates a draft or adds to it: what is left out stays as it is. */
export const DraftBody = z
  .strictObject({
    ...DraftPlace.shape,
    notes: Notes.optional(),
    artifacts: Artifacts.optional(),
    documents: SignedDocuments.optional(),
  })
  .meta({ id: 'DraftBody' })
export type DraftBody = z.infer<typeof DraftBody>

/** An artifact that a draft must have to be published. Without `kind`, one of any kind will do. */
export const ExpectedArtifact = z
  .strictObject({ platform: Platform, arch: Arch, kind: ArtifactKind.optional() })
  .meta({ id: 'ExpectedArtifact' })
export type ExpectedArtifact = z.infer<typeof ExpectedArtifact>

/** Body of a call that publishes a draft. */
export const PublishDraftBody = z
  .strictObject({
    ...DraftPlace.shape,
    rolloutPct: PublishBody.shape.rolloutPct,
    targets: PublishBody.shape.targets,
    plan: PublishBody.shape.plan,
    expect: z
      .array(ExpectedArtifact)
      .max(MAX_ARTIFACTS, `must hold at most ${MAX_ARTIFACTS} artifacts`)
      .default([])
      .meta({ description: 'Artifacts without which the draft is not published' }),
  })
  .meta({ id: 'PublishDraftBody' })
export type PublishDraftBody = z.infer<typeof PublishDraftBody>

export const DraftAnswer = z.strictObject({ draft: Draft }).meta({ id: 'DraftAnswer' })

/** Query of the list; there are no other parameters. */
export const DraftListQuery = ReleaseListQuery.omit({ cursor: true })

export const DraftListAnswer = z
  .strictObject({
    drafts: z.array(Draft),
    page: z.int(),
    pageCount: z.int(),
    total: z.int(),
  })
  .meta({ id: 'DraftListAnswer' })
