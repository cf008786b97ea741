/** Milliseconds between two lines where they replace each other. */
const EVERY = 100

/** Tells how far something has come, 0 to 1: on one line of a terminal, else a line a quarter. */
export function progressLine(what: string, stream: NodeJS.WriteStream): (share: number) => void {
  let shown = -1
  let at = 0
  return (share) => {
    const percent = Math.floor(share * 100)
    if (stream.isTTY) {
      const now = performance.now()
      if (percent < 100 && now - at < EVERY) return
      at = now
      stream.write(`\r${what}: ${percent} %${percent === 100 ? '\n' : ''}`)
    } else if (Math.floor(percent / 25) > shown) {
      shown = Math.floor(percent / 25)
      stream.write(`${what}: ${shown * 25} %\n`)
    }
  }
}
