import { Group, Table, Text } from '@mantine/core'
import type { Artifact } from '../../../shared/release.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import classes from './release.module.css'

/** The files of a release, each of their long texts with a button that copies it. */
export function ArtifactsTable({ artifacts }: { readonly artifacts: readonly Artifact[] }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Platform</Table.Th>
          <Table.Th>Arch</Table.Th>
          <Table.Th>Address</Table.Th>
          <Table.Th ta="end">Size</Table.Th>
          <Table.Th>SHA-512</Table.Th>
          <Table.Th>Signature</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {artifacts.map((artifact) => (
          <ArtifactRow key={`${artifact.platform} ${artifact.arch}`} artifact={artifact} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function ArtifactRow({ artifact }: { readonly artifact: Artifact }) {
  const { platform, arch, url, size, sha512, signature } = artifact
  const target = `${platform} ${arch}`
  return (
    <Table.Tr>
      <Table.Td>{platform}</Table.Td>
      <Table.Td>{arch}</Table.Td>
      <Table.Td className={classes.address}>
        <LongText text={url} what={`the address for ${target}`} />
      </Table.Td>
      <Table.Td ta="end" className={classes.size}>
        {size === 0 ? <NotGiven /> : formatSize(size)}
      </Table.Td>
      <Table.Td className={classes.code}>
        <LongText text={sha512} what={`the SHA-512 for ${target}`} />
      </Table.Td>
      <Table.Td className={classes.code}>
        {signature === '' ? (
          <NotGiven />
        ) : (
          <LongText text={signature} what={`the signature for ${target}`} />
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function LongText({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="cut" title={text}>
        {text}
      </span>
      <CopyButton text={text} what={what} />
    </Group>
  )
}

function NotGiven() {
  return (
    <Text span size="sm" c="dimmed">
      Not given
    </Text>
  )
}
