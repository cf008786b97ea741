import type { LabelMap } from '../../../../shared/names.ts'
import { NO_LABELS } from '../../../fleet/labels.ts'

/** Most different sets that are kept in memory. Devices that have labels mostly share few. */
const MAX_SETS = 50_000
/** Most characters that they have together, as JSON. Anybody can send labels. */
const MAX_CHARACTERS = 16_000_000
/** The number of the empty set. */
export const NO_SET = 0
/** What a device has whose set found no room: its labels are in the store alone. */
export const UNKNOWN_SET = -1

/** Label sets in memory, each once however many devices have it, so that checks need no query. */
export class LabelSets {
  readonly #byText = new Map<string, number>()
  readonly #sets: LabelMap[] = [NO_LABELS]
  #characters = 0

  /** The number of a set; `UNKNOWN_SET` if there is no room for a new one. */
  numberOf(labels: LabelMap): number {
    return this.numberOfText(JSON.stringify(labels))
  }

  /** The same for a set as JSON, as it is stored. */
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
