import type { LabelMap } from '../../../../shared/names.ts'
import { NO_LABELS } from '../../../fleet/labels.ts'

/** Maximum number of sets in memory. Most devices with labels share a few sets. */
const MAX_SETS = 50_000
/** Maximum total characters as JSON, because anybody can send labels. */
const MAX_CHARACTERS = 16_000_000
/** The number of the empty set. */
export const NO_SET = 0
/** The number for a set that does not fit: the device's labels are only in the store. */
export const UNKNOWN_SET = -1

/** Label sets in memory, each stored once for all devices that have it, so that checks need no query. */
export class LabelSets {
  readonly #byText = new Map<string, number>()
  readonly #sets: LabelMap[] = [NO_LABELS]
  #characters = 0

  /** Returns the number of a set; `UNKNOWN_SET` if a new one does not fit. */
  numberOf(labels: LabelMap): number {
    return this.numberOfText(JSON.stringify(labels))
  }

  /** The same for a stored set, which is JSON. */
  numberOfText(text: string): number {
    if (text === '{}') return NO_SET
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    if (this.#sets.length > MAX_SETS) return UNKNOWN_SET
    if (this.#characters + text.length > MAX_CHARACTERS) return UNKNOWN_SET
    this.#characters += text.length
    this.#byText.set(text, this.#sets.length)
    return this.#sets.push(JSON.parse(text)) - 1
  }

  /** The set of that number; undefined for `UNKNOWN_SET`. */
  get(number: number): LabelMap | undefined {
    return this.#sets[number]
  }

  /** By number, 1 for each set that has the label; `value` undefined for any. */
  having(key: string, value: string | undefined): Uint8Array {
    return Uint8Array.from(this.#sets, (labels) => {
      if (!Object.hasOwn(labels, key)) return 0
      return value === undefined || labels[key] === value ? 1 : 0
    })
  }
}
