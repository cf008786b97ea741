import { text } from './strings.ts'

/** Milliseconds between updates of the line on a terminal. */
const EVERY = 100

/** Shows progress from 0 to 1: on a terminal as one line that changes, elsewhere as a line per quarter. */
export function progressLine(what: string, stream: NodeJS.WriteStream): (share: number) => void {
  let shown = -1
  let at = 0
  return (share) => {
    const percent = Math.floor(share * 100)
    if (stream.isTTY) {
      const now = performance.now()
      if (percent < 100 && now - at < EVERY) return
      at = now
      stream.write(`\r${text.progress(what, percent)}${percent === 100 ? '\n' : ''}`)
    } else if (Math.floor(percent / 25) > shown) {
      shown = Math.floor(percent / 25)
      stream.write(`${text.progress(what, shown * 25)}\n`)
    }
  }
}
