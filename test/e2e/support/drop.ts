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
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await target.dispatchEvent(type, { dataTransfer })
  }
}
