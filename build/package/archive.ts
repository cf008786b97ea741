import { createHash } from 'node:crypto'
import { extractFile, getRawHeader } from '@electron/asar'
import { danglingReferences } from './references.ts'

type Node = ReturnType<typeof getRawHeader>['header']['files'][string]

/** A file of an asar archive, with `/` between the parts of its path. */
export interface ArchiveFile {
  readonly path: string
  readonly size: number
  /** It lies beside the archive, in the folder with `.unpacked` at its end. */
  readonly unpacked: boolean
  /** SHA-256 that the archive notes of it, in hex. */
  readonly sha256: string | undefined
}

/** Every file that the archive names. A link is named with the size 0. */
export function listArchive(archive: string): readonly ArchiveFile[] {
  return list(getRawHeader(archive).header, '')
}

function list(node: Node, path: string): readonly ArchiveFile[] {
  if ('files' in node) {
    return Object.entries(node.files).flatMap(([name, inner]) =>
      list(inner, path === '' ? name : `${path}/${name}`),
    )
  }
  const { size = 0, unpacked = false, integrity } = node
  return [{ path, size, unpacked, sha256: integrity?.hash }]
}

/** Hash of the archive's head, which an executable with the integrity fuse compares. */
export function headerHash(archive: string): string {
  return createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')
}

/** Files whose content does not have the hash that the archive notes, among those inside of it. */
export function damagedFiles(archive: string, files: readonly ArchiveFile[]): readonly string[] {
  return files
    .filter(({ unpacked }) => !unpacked)
    .filter(({ path, sha256 }) => {
      const content = extractFile(archive, path)
      return createHash('sha256').update(content).digest('hex') !== sha256
    })
    .map(({ path }) => path)
}

/** Files that the built scripts name beside themselves and that the archive does not have. */
export function missingNeighbours(
  archive: string,
  files: readonly ArchiveFile[],
): readonly string[] {
  const paths = new Set(files.map(({ path }) => path))
  return [...paths]
    .filter((path) => path.startsWith('out/') && path.endsWith('.js'))
    .flatMap((path) => danglingReferences(path, extractFile(archive, path).toString(), paths))
}
