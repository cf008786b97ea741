import { evidenceAbove, evidenceBeside } from '../../../shared/health/always-valid.ts'
import type { Control } from './control.ts'
import type { Counted } from './counted.ts'

/** Failures, and the share (0 to 1) of the devices that may fail. */
export interface FailureTest {
  readonly failed: number
  readonly judged: number
  /** Of the failed. */
  readonly stuck: number
  readonly usual: number
  /** With what the control shows. */
  readonly limit: number
  /** The part of the evidence that this test has: those of tests that are asked together add up to 1. */
  readonly weight: number
  /** Null without a control. */
  readonly beside: Beside | null
}

/** The weights of failures that are known at once, with silent devices, and with stuck ones. */
const [AT_ONCE, SILENT, STUCK] = [0.35, 0.2, 0.15]

/** Devices of a control that fail alike. */
interface Beside {
  readonly failed: number
  readonly judged: number
  /** What may fail whatever they do. */
  readonly own: number
  /** For how many judged devices each of them stands. */
  readonly part: number
}

/** What failures are compared with. Shares are from 0 to 1. */
export interface Compared {
  readonly limit: number
  /** The share of devices that are stuck for a time at every release. */
  readonly usual: number
  readonly control: Control | null
}

/**
 * Returns the tests of a release: of failures that are known at once, with silent devices, and with stuck ones. Beside a control,
 * as many devices may go back and fall silent as there, if these are more than the limit. The rest of the weight is that
 * of devices that are gone (`gone.ts`).
 */
export function failureTests(
  counted: Counted,
  { limit, usual, control }: Compared,
): readonly FailureTest[] {
  const { broken, silent, stuck } = counted
  const gone = broken + silent
  const reverted =
    control === null ? 0 : (control.reverted / control.devices) * partOf(counted, broken)
  const beside = control && { failed: goneOf(control), judged: control.devices }
  return [
    testOf(counted, { failed: broken, own: Math.max(limit, reverted), weight: AT_ONCE }),
    testOf(counted, { failed: gone, own: limit, weight: SILENT, beside }),
    testOf(counted, { failed: gone + stuck, stuck, own: limit, usual, weight: STUCK, beside }),
  ]
}

/** Returns the test for failing twice as often as usual and a point more. `share`: of the previous release, without a control. */
export function usualTest(
  counted: Counted,
  control: Control | null,
  share: number | null,
): FailureTest | null {
  const failed = counted.broken + counted.silent
  const beside = control && (goneOf(control) / control.devices) * partOf(counted, failed)
  const usual = beside ?? share
  return usual === null
    ? null
    : testOf(counted, { failed, own: Math.max(2 * usual, usual + 0.01), weight: 1 })
}

/** The evidence at the share that the control shows, as if that were certain. */
export function evidenceOf({ failed, judged, limit }: FailureTest): number {
  return evidenceAbove(failed, judged, limit)
}

/** The evidence that is valid however often one looks. */
export function validEvidenceOf(test: FailureTest): number {
  const { failed, judged, usual, beside } = test
  if (beside === null) return evidenceOf(test)
  return evidenceBeside(failed, judged, beside, { ...beside, more: usual })
}

interface Tested
  extends Pick<FailureTest, 'failed' | 'weight'>,
    Partial<Pick<FailureTest, 'stuck' | 'usual'>> {
  readonly own: number
  readonly beside?: Pick<Beside, 'failed' | 'judged'> | null
}

function testOf(
  counted: Counted,
  { failed, weight, own, stuck = 0, usual = 0, beside = null }: Tested,
): FailureTest {
  const part = partOf(counted, failed)
  const shown = beside === null ? 0 : (beside.failed / beside.judged) * part
  return {
    ...{ failed, judged: counted.adopted + failed, stuck, usual, weight },
    limit: Math.min(1, usual + Math.max(own, shown)),
    beside: beside && { ...beside, part, own },
  }
}

/** Devices of a control that are gone or went back. */
function goneOf({ silent, reverted }: Control): number {
  return silent + reverted
}

/** Of the devices of a control all can fall silent, and those that wait are not judged: each judged one stands for more. */
function partOf({ adopted, offered }: Counted, failed: number): number {
  return Math.max(1, offered / Math.max(1, adopted + failed))
}
