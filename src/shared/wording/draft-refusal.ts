import type { RefusalFacts } from '../refusal.ts'
import { formatCount, formatList } from './format.ts'

/** A refusal about drafts. */
export type DraftRefusal = Extract<
  RefusalFacts,
  {
    code: 'unknown_draft' | 'draft_incomplete' | 'draft_full' | 'too_many_drafts' | 'draft_changed'
  }
>

/** Returns the message of a refusal about drafts, as `refusalSentence` does. */
export function draftRefusalSentence(facts: DraftRefusal): string {
  switch (facts.code) {
    case 'unknown_draft':
      return `no draft of ${facts.version} on ${facts.app}/${facts.channel}`
    case 'draft_incomplete':
      return `${facts.path.join('.')}: the draft has no artifact for ${formatList(facts.missing.map(targetOf))}`
    case 'draft_full':
      return `the draft of ${facts.version} would have more than ${formatCount(facts.maximum)} artifacts`
    case 'too_many_drafts':
      return facts.isOwn
        ? `you have made ${formatCount(facts.maximum)} drafts of app "${facts.app}"; publish or delete one first`
        : `app "${facts.app}" has ${formatCount(facts.maximum)} drafts; publish or delete one first`
    case 'draft_changed':
      return `the draft of ${facts.version} on ${facts.app}/${facts.channel} has changed since you opened it; review it and try again`
  }
}

function targetOf({ platform, arch, kind = '' }: Expected): string {
  return [platform, arch, kind].filter((part) => part !== '').join(' ')
}

type Expected = Extract<DraftRefusal, { missing: object }>['missing'][number]
