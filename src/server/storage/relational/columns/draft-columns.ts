import type { DraftRecord } from '../../../catalog/records.ts'
import { type Columns, replaceIn, selected } from './columns.ts'
import { toDocuments } from './release-columns.ts'

/** A draft as its table holds it: artifacts and documents as JSON. */
export type DraftRow = Omit<DraftRecord, 'artifacts' | 'documents'> & {
  readonly artifacts: string
  readonly documents: string
}

export const DRAFT = {
  appKey: 'app_key',
  channelKey: 'channel_key',
  version: 'version',
  notes: 'notes',
  artifacts: 'artifacts',
  documents: 'documents',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  expiresAt: 'expires_at',
  revision: 'revision',
  owner: 'owner',
} as const satisfies Columns<DraftRow>

export const SELECT_DRAFTS = `SELECT ${selected(DRAFT)} FROM drafts`
export const PUT_DRAFT = replaceIn('drafts', DRAFT, 'channel_key, version')

/** Returns the draft that a row holds. */
export function toDraft({ artifacts, documents, ...plain }: DraftRow): DraftRecord {
  return { ...plain, artifacts: JSON.parse(artifacts), ...toDocuments(documents) }
}

/** Returns what `PUT_DRAFT` takes for a draft. */
export function draftParameters(draft: DraftRecord): DraftRow {
  const { artifacts, documents = [] } = draft
  return {
    ...draft,
    artifacts: JSON.stringify(artifacts),
    documents: JSON.stringify(documents),
  }
}
