/**
 * The parts of a PDF that make it a Factur-X invoice: the embedded file, and the metadata that programs look for. The
 * metadata is also what PDF/A-3 requires for properties that it does not define.
 */
import type { InvoiceDetails } from '@parley/contract/billing/invoices.ts';
import { toCii } from './cii.ts';
import { canBeStructured, escapeXml } from './facts.ts';

/** The name is part of the standard. */
const FILE_NAME = 'factur-x.xml';
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
const PROPERTIES = {
  DocumentFileName: 'The name of the embedded XML document',
  DocumentType: 'The type of the hybrid document',
  Version: 'The version of the standard',
  ConformanceLevel: 'The profile of the XML document',
} as const;

interface PdfDocument {
  appendXML(xml: string): void;
  file(source: Buffer, options: Record<string, unknown>): unknown;
}

/** The title and the author, which PDFKit would write without escaping. */
const description = (title: string, author: string): string => `
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title>
    <dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>
  </rdf:Description>`;

const values = `
  <rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
    <fx:DocumentType>INVOICE</fx:DocumentType>
    <fx:DocumentFileName>${FILE_NAME}</fx:DocumentFileName>
    <fx:Version>1.0</fx:Version>
    <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
  </rdf:Description>`;

const property = ([name, text]: [string, string]): string => `
  <rdf:li rdf:parseType="Resource">
    <pdfaProperty:name>${name}</pdfaProperty:name>
    <pdfaProperty:valueType>Text</pdfaProperty:valueType>
    <pdfaProperty:category>external</pdfaProperty:category>
    <pdfaProperty:description>${text}</pdfaProperty:description>
  </rdf:li>`;

const schema = `
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
      <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
      <pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
      <pdfaSchema:prefix>fx</pdfaSchema:prefix>
      <pdfaSchema:property><rdf:Seq>${Object.entries(PROPERTIES).map(property).join('')}</rdf:Seq></pdfaSchema:property>
    </rdf:li></rdf:Bag></pdfaExtension:schemas>
  </rdf:Description>`;

/** Adds the metadata, and the structured invoice if EN 16931 allows it. */
export function addStructured(doc: PdfDocument, invoice: InvoiceDetails): void {
  doc.appendXML(description(`${invoice.type} ${invoice.number}`, invoice.seller.name));
  if (!canBeStructured(invoice)) return;
  const created = new Date(`${invoice.period}T00:00:00Z`);
  doc.file(Buffer.from(toCii(invoice)), {
    ...{ name: FILE_NAME, type: 'text/xml', relationship: 'Alternative', description: 'Factur-X invoice' },
    ...{ creationDate: created, modifiedDate: created },
  });
  doc.appendXML(values);
  doc.appendXML(schema);
}
