import { IconDevicesOff, IconFileUnknown } from '@tabler/icons-react'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { EmptyState, NoResults } from '../../components/loading/empty-state.tsx'
import { paths } from '../../paths.ts'
import { text } from '../strings.ts'

/** Nothing can be listed, because there is no app. */
export function NoApps() {
  return (
    <EmptyState
      icon={IconDevicesOff}
      title={text.noAppsTitle}
      link={{ to: paths.apps, name: text.openApps }}
      hint={text.noApps}
    />
  )
}

/** No device of the app has ever checked in. */
export function NoDevices({ app }: { readonly app: AppDetail }) {
  return (
    <EmptyState
      icon={IconDevicesOff}
      title={text.noDevicesTitle(app.name)}
      link={{ to: paths.app(app.ref), name: text.connect(app.name) }}
      hint={text.noDevices}
    />
  )
}

/** Every device is filtered out. */
export function NoMatch({ onReset }: { readonly onReset: () => void }) {
  return (
    <NoResults
      title={text.noMatchTitle}
      clear={text.clearFilters}
      onClear={onReset}
      hint={text.noMatch}
    />
  )
}

/** The address names a page that the list does not have. */
export function PageGone({ onFirst }: { readonly onFirst: () => void }) {
  return (
    <EmptyState
      icon={IconFileUnknown}
      title={text.pageGoneTitle}
      link={{ name: text.showFirst, onClick: onFirst }}
      hint={text.pageGone}
    />
  )
}
