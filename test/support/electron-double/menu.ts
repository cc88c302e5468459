// Electron's menus without a screen: templates become items, and `click()` does what a click would do.
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import { loudStatics, LoudEmitter, loud } from './loud.ts';

type Template = {
  id?: string;
  label?: string;
  type?: string;
  role?: string;
  enabled?: boolean;
  visible?: boolean;
  checked?: boolean;
  submenu?: Template[] | Menu;
  click?: (item: MenuItem, window: BrowserWindow | null, event: object) => void;
} & Record<string, unknown>;

/** What a role does when there is a window without a desktop around it. */
const roles: Record<string, (window: BrowserWindow | null) => void> = {
  quit: () => app.quit(),
  close: (window) => window?.close(),
  minimize: (window) => window?.minimize(),
  hide: () => app.hide(),
  reload: (window) => window?.reload(),
  togglefullscreen: (window) => window?.setFullScreen(!window.isFullScreen()),
};

export class MenuItem {
  readonly id: string | undefined;
  readonly type: string;
  readonly role: string | undefined;
  readonly submenu: Menu | null;
  readonly accelerator: unknown;
  readonly icon: unknown;
  readonly toolTip: unknown;
  label: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  readonly #click: Template['click'];

  constructor(template: Template) {
    if (template.label === undefined && template.type === undefined && template.role === undefined)
      throw new Error('Invalid template for MenuItem: must have at least one of label, role or type');
    this.id = template.id;
    this.type = template.type ?? (template.submenu ? 'submenu' : 'normal');
    this.role = template.role?.toLowerCase();
    this.label = template.label ?? template.role ?? '';
    this.enabled = template.enabled ?? true;
    this.visible = template.visible ?? true;
    this.checked = template.checked ?? false;
    this.submenu = Array.isArray(template.submenu)
      ? Menu.buildFromTemplate(template.submenu)
      : (template.submenu ?? null);
    this.accelerator = template['accelerator'] ?? null;
    this.icon = template['icon'] ?? null;
    this.toolTip = template['toolTip'] ?? '';
    this.#click = template.click;
  }

  /** As in Electron, also on disabled items nothing happens. */
  readonly click = (
    event: object = {},
    window: BrowserWindow | null = BrowserWindow.getFocusedWindow(),
  ): void => {
    if (!this.enabled) return;
    if (this.type === 'checkbox') this.checked = !this.checked;
    if (this.type === 'radio') this.checked = true;
    if (this.#click) return this.#click(this, window, event);
    if (this.role === undefined) return;
    const act = roles[this.role];
    if (!act) throw new Error(`The stand-in for Electron does not do the menu role '${this.role}'.`);
    act(window);
  };
}
loud('MenuItem', MenuItem.prototype);

let applicationMenu: Menu | null = null;

export class Menu extends LoudEmitter {
  static override emits = ['menu-will-show', 'menu-will-close'];
  items: MenuItem[] = [];

  static buildFromTemplate(template: (Template | MenuItem)[]): Menu {
    const menu = new Menu();
    for (const entry of template) menu.append(entry instanceof MenuItem ? entry : new MenuItem(entry));
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu;
  }
  static getApplicationMenu(): Menu | null {
    return applicationMenu;
  }

  append(item: MenuItem): void {
    this.items.push(item);
  }
  insert(position: number, item: MenuItem): void {
    this.items.splice(position, 0, item);
  }
}
loudStatics(Menu);
