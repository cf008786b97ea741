import { createReadStream, readFileSync } from 'node:fs'
import { areBlocksOf, MAX_GIVEN, readGivenMap } from '../../hosting/block-maps/given-map.ts'
import { BLOCK_MAP, isMapped } from '../../use-cases/files/mapped-file.ts'
import { text } from '../strings/publish.ts'
import { type BuiltFile, isFile, readBuiltFile } from './built-file.ts'
import type { Warnings } from './warnings.ts'

/**
 * Returns the block maps that electron-builder has written beside files, by the paths of those. One that is of another file is
 * left out with a warning. Throws `Failure` for what cannot be read.
 */
export async function blockMapsBeside(
  built: Iterable<BuiltFile>,
  warnings: Warnings,
): Promise<ReadonlyMap<string, BuiltFile>> {
  const maps = new Map<string, BuiltFile>()
  for (const file of built) {
    const path = `${file.path}${BLOCK_MAP}`
    if (!isMapped(file.name) || maps.has(file.path) || !isFile(path)) continue
    const map = await readBuiltFile('--file', path)
    if (await isMapOf(map, file)) maps.set(file.path, map)
    else warnings.add(text.otherBlockMap(map.name, file.name))
  }
  return maps
}

async function isMapOf(map: BuiltFile, file: BuiltFile): Promise<boolean> {
  const blocks = map.size > MAX_GIVEN ? undefined : await readGivenMap(readFileSync(map.path))
  return blocks !== undefined && (await areBlocksOf(blocks, createReadStream(file.path)))
}
