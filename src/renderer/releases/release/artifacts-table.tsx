import { Group, Table, Text } from '@mantine/core'
import type { Artifact } from '../../../shared/release.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { CopyButton } from '../../components/text/copy-button.tsx'
import classes from './release.module.css'
import { text } from './strings.ts'

/** The files of a release, each of their long texts with a button that copies it. */
export function ArtifactsTable({ artifacts }: { readonly artifacts: readonly Artifact[] }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.platform}</Table.Th>
          <Table.Th>{text.arch}</Table.Th>
          <Table.Th>{text.url}</Table.Th>
          <Table.Th ta="end">{text.size}</Table.Th>
          <Table.Th>{text.sha512}</Table.Th>
          <Table.Th>{text.signature}</Table.Th>
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
        <LongText value={url} what={text.urlFor(target)} />
      </Table.Td>
      <Table.Td ta="end" className={classes.size}>
        {size === 0 ? <NotGiven /> : formatSize(size)}
      </Table.Td>
      <Table.Td className={classes.code}>
        <LongText value={sha512} what={text.sha512For(target)} />
      </Table.Td>
      <Table.Td className={classes.code}>
        {signature === '' ? (
          <NotGiven />
        ) : (
          <LongText value={signature} what={text.signatureFor(target)} />
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function LongText({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="cut" title={value}>
        {value}
      </span>
      <CopyButton text={value} what={what} />
    </Group>
  )
}

function NotGiven() {
  return (
    <Text span size="sm" c="dimmed">
      {text.notGiven}
    </Text>
  )
}
