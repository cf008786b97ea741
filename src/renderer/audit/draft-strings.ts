import { z } from 'zod'
import { formatCounted } from '../../shared/wording/format.ts'
import { type Words, whenRead } from './read.ts'

const Content = z.object({ artifacts: z.number() })

/** Sentences about drafts. */
export const DRAFT_WORDS: Readonly<Record<string, Words>> = {
  'draft.created': (_, after) => whenRead(Content, after, (now) => `Created draft${has(now)}.`),
  'draft.changed': (_, after) =>
    whenRead(Content, after, (now) => `Changed draft, now${has(now)}.`),
  'draft.discarded': (before) => whenRead(Content, before, (then) => `Deleted draft${has(then)}.`),
  'draft.expired': (before) => whenRead(Content, before, (then) => `Draft${has(then)} expired.`),
}

function has({ artifacts }: z.infer<typeof Content>): string {
  return ` with ${formatCounted(artifacts, 'artifact')}`
}
