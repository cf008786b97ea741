import type { DraftRecord } from '../../../catalog/records.ts'
import { type Columns, replaceIn, selected } from './columns.ts'

/** A draft as its table holds it: the artifacts as JSON. */
export type DraftRow = Omit<DraftRecord, 'artifacts'> & { readonly artifacts: string }

export const DRAFT = {
  appKey: 'app_key',
  channelKey: 'channel_key',
  version: 'version',
  notes: 'notes',
  artifacts: 'artifacts',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  expiresAt: 'expires_at',
  revision: 'revision',
  owner: 'owner',
} as const satisfies Columns<DraftRow>

export const SELECT_DRAFTS = `SELECT ${selected(DRAFT)} FROM drafts`
export const PUT_DRAFT = replaceIn('drafts', DRAFT, 'channel_key, version')

/** Returns the draft that a row holds. */
export function toDraft({ artifacts, ...plain }: DraftRow): DraftRecord {
  return { ...plain, artifacts: JSON.parse(artifacts) }
}

/** Returns what `PUT_DRAFT` takes for a draft. */
export function draftParameters(draft: DraftRecord): DraftRow {
  return { ...draft, artifacts: JSON.stringify(draft.artifacts) }
}
