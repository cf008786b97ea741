/** Keeps the page when files are dropped beside a drop zone: a browser would open them in its place. */
export function refuseStrayFiles(): void {
  for (const type of ['dragover', 'drop'] as const) {
    window.addEventListener(type, (event) => {
      const { dataTransfer } = event
      if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      dataTransfer.dropEffect = 'none'
    })
  }
}
