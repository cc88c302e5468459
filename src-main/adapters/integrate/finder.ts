// Finder's Quick Action: a workflow of Automator in ~/Library/Services. Info.plist defines where it appears and for
// which files; document.wflow runs a shell script that gets the files as arguments. Apple's document: Services
// Properties in the Services Implementation Guide
// (developer.apple.com/library/archive/documentation/Cocoa/Conceptual/SysServices/Articles/properties.html:
// NSMenuItem, NSMessage, NSSendFileTypes, NSRequiredContext). No document describes document.wflow: it is what
// Automator 2.10 saves.
import { inXml, shellWords } from './words.ts';

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n';

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

const plist = (value: Value): string => `${head}${xmlOf(value)}\n</plist>\n`;

const xmlOf = (value: Value): string => {
  if (typeof value === 'string') return `<string>${inXml(value)}</string>`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (isList(value)) return `<array>${value.map(xmlOf).join('')}</array>`;
  const keys = Object.entries(value).map(([key, one]) => `<key>${inXml(key)}</key>${xmlOf(one)}`);
  return `<dict>\n${keys.join('\n')}\n</dict>`;
};

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

export const finderInfo = (label: string, mark: string): string =>
  plist({
    CFBundleIdentifier: 'app.outtray.entry',
    CFBundleName: label,
    CFBundleShortVersionString: '1.0',
    OuttrayMark: mark,
    NSServices: [
      {
        NSMenuItem: { default: label },
        NSMessage: 'runWorkflowAsService',
        NSRequiredContext: { NSApplicationIdentifier: 'com.apple.finder' },
        NSSendFileTypes: ['public.data'],
      },
    ],
  });

/** The script of the action; `inputMethod` 1: the files are its arguments. */
export const finderScript = (words: readonly string[]): string => `exec ${shellWords(words)} "$@"`;

const paths = { Container: 'List', Optional: true, Types: ['com.apple.cocoa.path'] };

export const finderWorkflow = (words: readonly string[]): string =>
  plist({
    AMApplicationBuild: '523',
    AMApplicationVersion: '2.10',
    AMDocumentVersion: '2',
    actions: [
      {
        action: {
          AMAccepts: paths,
          AMActionVersion: '2.0.3',
          AMApplication: ['Automator'],
          AMParameterProperties: {
            COMMAND_STRING: {},
            CheckedForUserDefaultShell: {},
            inputMethod: {},
            shell: {},
            source: {},
          },
          AMProvides: { Container: 'List', Types: ['com.apple.cocoa.string'] },
          ActionBundlePath: '/System/Library/Automator/Run Shell Script.action',
          ActionName: 'Run Shell Script',
          ActionParameters: {
            COMMAND_STRING: finderScript(words),
            CheckedForUserDefaultShell: true,
            inputMethod: 1,
            shell: '/bin/sh',
            source: '',
          },
          BundleIdentifier: 'com.apple.RunShellScript',
          CFBundleVersion: '2.0.3',
          CanShowSelectedItemsWhenRun: false,
          CanShowWhenRun: true,
          Category: ['AMCategoryUtilities'],
          'Class Name': 'RunShellScriptAction',
          InputUUID: '5A0C8A9B-1F6B-4B57-9C1E-0E2B6C0B7D01',
          OutputUUID: '5A0C8A9B-1F6B-4B57-9C1E-0E2B6C0B7D02',
          UUID: '5A0C8A9B-1F6B-4B57-9C1E-0E2B6C0B7D03',
          UnlocalizedApplications: ['Automator'],
          arguments: {},
          isViewVisible: 1,
        },
        isViewVisible: 1,
      },
    ],
    connectors: {},
    workflowMetaData: {
      serviceApplicationBundleID: 'com.apple.finder',
      serviceInputTypeIdentifier: 'com.apple.Automator.fileSystemObject',
      serviceOutputTypeIdentifier: 'com.apple.Automator.nothing',
      serviceProcessesInput: 0,
      workflowTypeIdentifier: 'com.apple.Automator.servicesMenu',
    },
  });
