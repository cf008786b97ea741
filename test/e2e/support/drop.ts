import type { Locator } from 'playwright'

/** Drops files onto an element, as from the desktop. */
export async function dropFiles(
  target: Locator,
  files: readonly { name: string; content: string }[],
): Promise<void> {
  const dataTransfer = await target.evaluateHandle((_, dropped) => {
    const transfer = new DataTransfer()
    for (const { name, content } of dropped) transfer.items.add(new File([content], name))
    return transfer
  }, files)
  await dispatch(target, dataTransfer)
}

/** Drops a file of so many megabytes of zeros, made in the page. */
export async function dropLargeFile(target: Locator, name: string, megabytes: number) {
  const dataTransfer = await target.evaluateHandle(
    (_, file) => {
      const part = new Uint8Array(1024 * 1024)
      const transfer = new DataTransfer()
      transfer.items.add(new File(new Array(file.megabytes).fill(part), file.name))
      return transfer
    },
    { name, megabytes },
  )
  await dispatch(target, dataTransfer)
}

async function dispatch(target: Locator, dataTransfer: unknown): Promise<void> {
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await target.dispatchEvent(type, { dataTransfer })
  }
}
