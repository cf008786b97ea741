import { formatCount, formatCounted, formatSize } from '../../../shared/wording/format.ts'

export const text = {
  title: 'Stored files',
  empty: 'No stored files. Files that you upload when you publish a release appear here.',
  name: 'File',
  size: 'Size',
  uses: 'Used by releases and drafts',
  stored: 'Stored',
  actions: 'Actions',
  unused: 'None',
  countOfUses: formatCount,
  bytes: formatSize,
  used: (files: number, bytes: number) =>
    `${formatCounted(files, 'file')}, ${formatSize(bytes)}. Files that no release or draft uses are deleted after a day.`,
  usedOf: (files: number, bytes: number, quota: number) =>
    `${formatCounted(files, 'file')}, ${formatSize(bytes)} of ${formatSize(quota)}. Files that no release or draft uses are deleted after a day.`,
  patches: (bytes: number) =>
    `Patches between files take another ${formatSize(bytes)}, which the quota does not count.`,
  uploads: 'Unfinished uploads',
  arrived: 'Arrived',
  uploadedBy: 'Uploaded by',
  progress: 'Last progress',
  unknown: 'Unknown',
  ofSize: (offset: number, size: number) => `${formatSize(offset)} of ${formatSize(size)}`,
  deleteUpload: (name: string) => `Delete upload of ${name}`,
  deleteUploadText: (offset: number) =>
    `The upload ends, and the ${formatSize(offset)} that have arrived are deleted. It can only be started again from the beginning.`,
  uploadDeleted: (name: string) => `Upload of ${name} deleted`,
  uploadNotDeleted: (name: string) => `Upload of ${name} was not deleted`,
  quota: 'Used space',
  notCollected: 'Unused files could not be deleted. See the log of the server.',
  delete: 'Delete',
  deleteName: (name: string) => `Delete ${name}`,
  deleteText: (bytes: number) =>
    `No release or draft uses this file. Its address stops working, and ${formatSize(bytes)} become free.`,
  deleted: (name: string) => `${name} deleted`,
  notDeleted: (name: string) => `${name} was not deleted`,
} as const
