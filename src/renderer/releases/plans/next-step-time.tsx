import type { PlanNext } from '../../../shared/plans/plan-state.ts'
import { Small, When } from '../../components/text/words.tsx'
import { text, WAIT_WORDS } from './strings.ts'

/** When the next step of a running plan comes at the earliest, and what it waits for. */
export function NextStepTime({ next: { at, waitsFor } }: { readonly next: PlanNext }) {
  return (
    <>
      {waitsFor === null && text.beingApplied}
      {waitsFor !== null && at !== null && (
        <span>
          <When at={at} as="dayAndHour" /> {text.atEarliest}
        </span>
      )}
      {waitsFor !== null && <Small>{WAIT_WORDS[waitsFor]}</Small>}
    </>
  )
}
