import { Button, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyItem } from '../../shared/key.ts'
import { showInvisible } from '../../shared/visible.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { useNewDialog } from '../components/dialog/use-new-dialog.ts'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { When } from '../components/text/when.tsx'
import classes from './keys.module.css'
import { MintDialog } from './mint-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { SCOPE_WORDS, text } from './strings.ts'

/** The keys with which machines use this server's API. */
export function KeysScreen() {
  // When a key was last used is no change that the server announces.
  const keys = useQuery(server.keys.list.queryOptions(undefined, { refetchOnMount: 'always' }))
  const [minting, setMinting] = useNewDialog()
  const mayMint = useAccess().mayInSomeApp('release_manager')
  const mint = mayMint && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMinting(true)}>
      {text.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={(keys.data?.length ?? 0) > 0 && mint}
      />
      <Loaded query={keys}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={IconKey} title={text.empty} action={mint || undefined}>
              {mayMint ? text.emptyHint : text.emptyForViewers}
            </EmptyState>
          ) : (
            <KeyTable keys={list} />
          )
        }
      </Loaded>
      {mayMint && <MintDialog opened={minting} onClose={() => setMinting(false)} />}
    </>
  )
}

function KeyTable({ keys }: { readonly keys: readonly KeyItem[] }) {
  const [revoking, setRevoking] = useState<KeyItem>()
  return (
    <Panel flush title={text.keys}>
      <Table aria-label={text.table} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.key}</Table.Th>
            <Table.Th>{text.columns.scopes}</Table.Th>
            <Table.Th>{text.columns.created}</Table.Th>
            <Table.Th>{text.columns.lastUsed}</Table.Th>
            <Table.Th>{text.columns.status}</Table.Th>
            <Table.Th w={96}>
              <VisuallyHidden>{text.columns.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.prefix} item={key} onRevoke={() => setRevoking(key)} />
          ))}
        </Table.Tbody>
      </Table>
      <RevokeDialog item={revoking} onClose={() => setRevoking(undefined)} />
    </Panel>
  )
}

function KeyRow({ item, onRevoke }: { readonly item: KeyItem; readonly onRevoke: () => void }) {
  const active = item.revokedAt === null
  const { may } = useAccess()
  const mayRevoke = item.app === null ? may('administrator') : may('release_manager', item.app)
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500} className={classes.name}>
          {showInvisible(item.name)}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {`${item.prefix}…`}
        </Text>
      </Table.Td>
      <Table.Td>
        {item.scopes.map((scope) => SCOPE_WORDS[scope].name).join(', ')}
        <Text size="xs" c="dimmed">
          {item.app === null ? text.allApps : text.app(item.app)}
        </Text>
        {item.bypassApproval && (
          <Text size="xs" c="dimmed">
            {text.bypasses}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <When at={item.createdAt} />
      </Table.Td>
      <Table.Td>
        <When at={item.lastUsedAt} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={active ? 'active' : 'revoked'} />
      </Table.Td>
      <Table.Td ta="end">
        {active && mayRevoke && (
          <Button
            variant="default"
            size="xs"
            aria-label={text.revokeLabel(item.name)}
            onClick={onRevoke}
          >
            {text.revoke}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
